/* Quotation marks around a value. A shell removes them; `docker run --env-file` and Kubernetes keep them. */

const inMarks = /^(?:(["']).*\1|[“„‘«].*[”“’»])$/s

/** Whether a value is in quotation marks. */
export const isInMarks = (value: string): boolean => inMarks.test(value)

/** A value without the quotation marks and blanks around it: the intended value of a setting that nobody reads. */
export const withoutMarks = (value: string): string => {
  const trimmed = value.trim()
  return isInMarks(trimmed) ? trimmed.slice(1, -1).trim() : trimmed
}
