/*
 * Quotation marks around a value. A shell takes them off; `docker run --env-file` and Kubernetes keep them.
 */

const inMarks = /^(?:(["']).*\1|[“„‘«].*[”“’»])$/s

/** Whether a value is in quotation marks. */
export const isInMarks = (value: string): boolean => inMarks.test(value)

/** A value without the marks and blanks around it, which tells what was meant by one that nobody reads. */
export const withoutMarks = (value: string): string => {
  const trimmed = value.trim()
  return isInMarks(trimmed) ? trimmed.slice(1, -1).trim() : trimmed
}
