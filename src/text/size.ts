const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Formats a number of bytes: exact below 1 KiB, then with one decimal; a dash for null. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return '–'
  let text = `${bytes} B`
  let value = bytes
  for (const unit of units) {
    if (value < 1024) break
    value /= 1024
    text = `${value.toFixed(1)} ${unit}`
  }
  return text
}
