/** Returns a line of a checksums file as `sha256sum` writes it, including its newline. */
export function formatChecksum(file: { readonly name: string; readonly hash: string }): string {
  const { name, hash } = file
  // sha256sum reads a single dash as standard input.
  if (name === '-') return `${hash}  ./-\n`
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`
}
