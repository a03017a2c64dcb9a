/** Bugs to seed into the source, one at a time: the exploration must find each of them. */

/** A change of one file of `src`. */
export interface SeededBug {
  readonly name: string
  readonly file: string
  readonly changes: readonly (readonly [find: string, replace: string])[]
}

/** The bugs. */
export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a line is not synced',
    file: 'records/file.ts',
    changes: [
      [
        'await this.#file.append(bytes)\n      await this.#file.sync()',
        'await this.#file.append(bytes)',
      ],
    ],
  },
  {
    name: 'pending lines are dropped',
    file: 'records/file.ts',
    changes: [
      ["Buffer.from(this.#pending.join(''))", "Buffer.from(this.#pending.slice(0, 1).join(''))"],
    ],
  },
  {
    name: 'a missing newline is not written',
    file: 'records/file.ts',
    changes: [["if (reading.tail === 'unterminated') await file.append('\\n')", '']],
  },
  {
    name: 'an incomplete line is not cut off',
    file: 'records/file.ts',
    changes: [
      ["if (reading.tail === 'incomplete') await disk.truncate(path, reading.goodBytes)", ''],
    ],
  },
  {
    name: 'a write that failed is called saved',
    file: 'records/file.ts',
    changes: [['return describeError(error)\n    }\n  }', 'return null\n    }\n  }']],
  },
  {
    name: 'the intent is logged after the call',
    file: 'service/client.ts',
    changes: [
      ['        await attempted.subject?.logIntent()\n', ''],
      ['if (reply.kind ===', 'await attempted.subject?.logIntent()\n        if (reply.kind ==='],
    ],
  },
  {
    name: 'the intent is logged for each attempt',
    file: 'register/journal.ts',
    changes: [['if (this.#sent !== null) return\n', '']],
  },
  {
    name: 'a hash is sent although its intent could not be saved',
    file: 'register/journal.ts',
    changes: [['throw new FailureError(notSavedFailure)', 'this.#sent = sent']],
  },
  {
    name: 'what cannot be saved is not printed',
    file: 'register/journal.ts',
    changes: [['runner.info(line.trimEnd())', '']],
  },
  {
    name: 'a record does not name the line that it settles',
    file: 'register/journal.ts',
    changes: [['const at = this.#sent?.at ?? null', 'const at = null']],
  },
  {
    name: 'a hash is settled whatever happened',
    file: 'register/registration.ts',
    changes: [
      ["if (failure.registered === 'no') await journal.settle()", 'await journal.settle()'],
    ],
  },
  {
    name: 'a hash is never settled',
    file: 'register/registration.ts',
    changes: [["if (failure.registered === 'no') await journal.settle()", '']],
  },
  {
    name: 'a line is called saved before it is',
    file: 'records/file.ts',
    changes: [
      [
        'this.#write = this.#writePending(this.#write)\n    return this.#write',
        'this.#write = this.#writePending(this.#write)\n    return Promise.resolve(null)',
      ],
    ],
  },
  {
    name: 'what an earlier run left open is forgotten',
    file: 'register/pool.ts',
    changes: [['if (open === null ||', 'if (open !== undefined ||']],
  },
  {
    name: 'a 4xx after a lost answer is called "no"',
    file: 'service/attempts.ts',
    changes: [['hasActed ||= ', 'hasActed = ']],
  },
  {
    name: 'a registration after a lost answer is not flagged',
    file: 'service/attempts.ts',
    changes: [['mayHaveActedBefore: hasActed', 'mayHaveActedBefore: false']],
  },
  {
    name: 'calls go out after a cancel',
    file: 'service/shared-pause.ts',
    changes: [['if (this.#halt.reason !== null) throw new FailureError(this.#halt.reason)', '']],
  },
  {
    name: 'a record with problems is sent again',
    file: 'records/known.ts',
    changes: [["return { state: 'contradicted', entry: contradicted }", 'return undefined']],
  },
  {
    name: 'a line of one run settles those of all runs',
    file: 'records/known.ts',
    changes: [
      [
        'JSON.stringify([at, service, runId, runAttempt])',
        "service + (at ?? '') + String(runId ?? runAttempt).slice(1)",
      ],
      [
        'unsettled.toSorted',
        'unsettled.slice(0, entries.some(one => "state" in one && one.state === "not-registered") ? 0 : undefined).toSorted',
      ],
    ],
  },
  {
    name: 'an open hash is planned as new',
    file: 'records/known.ts',
    changes: [["return sent && { state: 'open', sent }", 'return undefined']],
  },
  {
    name: 'a status other than registered is accepted',
    file: 'records/record.ts',
    changes: [
      ["check('status', status === 'registered', '\"registered\"')", ''],
      ["check('hash', isSameHash, 'that of the request')", ''],
      ["custody === false || custody === 'false'", 'true'],
      ["signed === false || signed === 'false'", 'true'],
    ],
  },
  {
    name: 'a record is sent again',
    file: 'records/known.ts',
    changes: [['if (entry !== undefined) {', 'if (entry !== undefined && good.length > 1) {']],
  },
]
