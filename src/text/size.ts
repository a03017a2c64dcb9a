/** Formats a number of bytes: exact below 1 KiB, then with one decimal; a dash for null. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return '–'
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`
}
