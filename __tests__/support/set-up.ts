/** Runs before the tests of each file. */
import { afterAll } from '@jest/globals'
import { cleanUp } from './clean-up.ts'
import './realms.ts'

afterAll(cleanUp)
