import { isRegistered, type RegisteredResult, type Result } from '../outcome.ts'
import { baseName } from '../text/words.ts'
import { code } from './page.ts'

const maxLines = 50
const maxNameLength = 300

// What a here-document, single quotes and `sha256sum -c` take as it is.
const plainName = /^[A-Za-z0-9._+@%,=](?:[A-Za-z0-9._+@%,=/ -]*[A-Za-z0-9._+@%,=-])?$/

interface Line {
  readonly hash: string
  readonly name: string
}

/** A place where somebody has the files, with the names that they have there. */
interface Place {
  readonly where: string
  readonly lines: readonly Line[]
  /** Whether a file may be elsewhere, so that one that is missing is no fault. */
  readonly mayMiss: boolean
}

/** How to compare files with the records of this run, where the reader is. */
export function howToCheck(run: {
  readonly results: readonly Result[]
  /** The release whose assets are artifacts; null without one. */
  readonly releaseTag: string | null
  /** Where the registration itself is looked up, as HTML. */
  readonly lookUp: string
}): readonly string[] {
  const { results, releaseTag, lookUp } = run
  const registered = results.filter(isRegistered)
  if (registered.length === 0) return []
  const places = placesOf(registered, releaseTag)
  const [first, ...others] = places
  const intro = `<p><b>How to check:</b> this compares files with the records of this run. The registration itself is looked up ${lookUp}.</p>`
  const all = 'the file of the output <code>checksums-path</code>'
  if (first === undefined) {
    const plain = `<p>Use <code>sha256sum -c</code> with ${all}, in the workspace of the job.</p>`
    return [intro, plain, '']
  }
  const left = registered.length - Math.max(...places.map(({ lines }) => lines.length))
  const rest = `<p>${left} more ${left === 1 ? 'is' : 'are'} not in these lines; ${all} has all.</p>`
  const onMac = places.flatMap(place => [
    `In ${place.where}:`,
    '',
    ...shell('shasum -a 256', place),
  ])
  return [
    ...[intro, `<p>In ${first.where}, on Linux:</p>`, '', ...shell('sha256sum', first)],
    ...others.flatMap(place => fold(`In ${place.where}, on Linux`, shell('sha256sum', place))),
    ...fold('On macOS', onMac),
    ...fold('On Windows (PowerShell)', places.flatMap(powerShell)),
    ...(left > 0 ? [rest, ''] : []),
  ]
}

/** The workspace of the job, and a folder with the files alone, as after a download; one of them where both are the same. */
function placesOf(
  registered: readonly RegisteredResult[],
  releaseTag: string | null,
): readonly Place[] {
  const named = registered.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, hash }]))
  const lines = takePlain(named)
  const flat = takePlain(flatten(named))
  const folder = 'a folder with the downloaded files'
  if (releaseTag !== null) {
    const where = `a folder with the downloaded assets of ${code(releaseTag)}`
    return flat.length === 0 ? [] : [{ where, lines: flat, mayMiss: true }]
  }
  const mayMiss = registered.some(({ size }) => size === null)
  const isFlat = lines.every(({ name }) => !name.includes('/'))
  const where = isFlat ? `the workspace of the job, or ${folder}` : 'the workspace of the job'
  const places = [
    { where, lines, mayMiss },
    ...(isFlat ? [] : [{ where: folder, lines: flat, mayMiss: true }]),
  ]
  return places.filter(place => place.lines.length > 0)
}

/** With base names; none that two files with other bytes share. */
function flatten(lines: readonly Line[]): readonly Line[] {
  const byName = Map.groupBy(lines, ({ name }) => baseName(name))
  return [...byName].flatMap(([name, some]) => {
    const [hash = '', ...others] = new Set(some.map(one => one.hash))
    return others.length === 0 ? [{ name, hash }] : []
  })
}

function takePlain(lines: readonly Line[]): readonly Line[] {
  const isPlain = ({ name }: Line): boolean => name.length <= maxNameLength && plainName.test(name)
  return lines.filter(isPlain).slice(0, maxLines)
}

function shell(program: string, { lines, mayMiss }: Place): readonly string[] {
  const commands = [
    `${program}${mayMiss ? ' --ignore-missing' : ''} -c - <<'END'`,
    ...lines.map(({ hash, name }) => `${hash}  ${name}`),
    'END',
  ]
  const skipped = mayMiss ? ' A file that is not there is left out.' : ''
  const note = `<p>Each line must end with <code>OK</code>.${skipped}</p>`
  return ['```sh', ...commands, '```', '', note, '']
}

function powerShell({ where, lines }: Place): readonly string[] {
  const commands = lines.map(
    ({ hash, name }) =>
      `(Get-FileHash -Algorithm SHA256 -LiteralPath '${name}').Hash -eq '${hash}'`,
  )
  const intro = `In ${where}, one line for each file; it must print <code>True</code>:`
  return [intro, '', '```powershell', ...commands, '```', '']
}

function fold(title: string, lines: readonly string[]): readonly string[] {
  return ['<details>', `<summary>${title}</summary>`, '', ...lines, '</details>', '']
}
