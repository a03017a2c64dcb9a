import { isRegistered, type RegisteredResult, type Result } from '../outcome.ts'
import { baseName } from '../text/words.ts'
import { code } from './page.ts'

const maxLines = 50
const maxNameLength = 300

// What a here-document, single quotes and `sha256sum -c` take as it is.
const plainName = /^[A-Za-z0-9._+@%,=](?:[A-Za-z0-9._+@%,=/ -]*[A-Za-z0-9._+@%,=-])?$/

/** The registered artifacts that a place has, each under the name that it has there. */
interface Place {
  readonly where: string
  readonly lines: readonly Line[]
  /** Whether a file may be elsewhere, so that one that is missing is no fault. */
  readonly mayMiss: boolean
}

interface Line {
  readonly name: string
  readonly hash: string
}

/** How to compare files with the records of this run, where the reader is; nothing if nothing is registered. */
export function howToCheck(run: {
  readonly results: readonly Result[]
  /** The release whose assets are artifacts; null without one. */
  readonly releaseTag: string | null
  /** Where the registration itself is looked up, as HTML. */
  readonly lookUp: string
}): readonly string[] {
  const registered = run.results.filter(isRegistered)
  if (registered.length === 0) return []
  const intro = `<p><b>How to check:</b> this compares files with the records of this run. The registration itself is looked up ${run.lookUp}.</p>`
  const all = 'the file of the output <code>checksums-path</code>'
  const places = placesOf(registered, run.releaseTag).filter(({ lines }) => lines.length > 0)
  if (places.length === 0) {
    const plain = `<p>Use <code>sha256sum -c</code> with ${all}, in the workspace of the job.</p>`
    return [intro, plain, '']
  }
  const left = registered.length - Math.max(...places.map(({ lines }) => lines.length))
  const rest = ` ${left} more ${left === 1 ? 'is' : 'are'} not in these lines; ${all} has all.`
  return [
    intro,
    ...places.flatMap((place, at) => blockOf(place, { isFolded: at > 0 })),
    `<p>${otherSystems}${left > 0 ? rest : ''}</p>`,
    '',
  ]
}

const otherSystems =
  'On macOS, put <code>shasum -a 256</code> in place of <code>sha256sum</code>. On Windows, <code>Get-FileHash -Algorithm SHA256 FILE</code> in PowerShell gives the SHA-256 of a file to compare.'

/** The workspace of the job, and a folder with the files alone, as after a download; one of them where both are the same. */
function placesOf(
  registered: readonly RegisteredResult[],
  releaseTag: string | null,
): readonly Place[] {
  const named = registered.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, hash }]))
  const flat = { lines: takePlain(flatten(named)), mayMiss: true }
  if (releaseTag !== null)
    return [{ ...flat, where: `a folder with the downloaded assets of ${code(releaseTag)}` }]
  const lines = takePlain(named)
  const mayMiss = registered.some(({ size }) => size === null)
  const [workspace, folder] = ['the workspace of the job', 'a folder with the downloaded files']
  return lines.every(({ name }) => !name.includes('/'))
    ? [{ where: `${workspace}, or ${folder}`, lines, mayMiss }]
    : [
        { where: workspace, lines, mayMiss },
        { ...flat, where: folder },
      ]
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

/** The command to paste in a place; folded for those who have the files elsewhere. */
function blockOf(
  { where, lines, mayMiss }: Place,
  { isFolded }: { readonly isFolded: boolean },
): readonly string[] {
  const skipped = mayMiss ? ' A file that is not there is left out.' : ''
  return [
    ...[isFolded ? `<details><summary>In ${where}</summary>` : `<p>In ${where}:</p>`, ''],
    ...['```sh', `sha256sum${mayMiss ? ' --ignore-missing' : ''} -c - <<'END'`],
    ...lines.map(({ hash, name }) => `${hash}  ${name}`),
    ...['END', '```', '', `<p>Each line must end with <code>OK</code>.${skipped}</p>`, ''],
    ...(isFolded ? ['</details>', ''] : []),
  ]
}
