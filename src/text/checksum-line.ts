/** One line of a checksums file in GNU format, as `sha256sum` writes it, newline included. */
export function formatChecksum(file: { readonly name: string; readonly hash: string }): string {
  const { name, hash } = file
  // To sha256sum a dash alone is standard input.
  if (name === '-') return `${hash}  ./-\n`
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`
}
