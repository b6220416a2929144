export const JSON_TYPE = 'application/json'

/** The headers of every request, whatever its host; a credential is not among them. */
export const plainHeaders = (userAgent: string): Record<string, string> => ({
  accept: JSON_TYPE,
  'accept-encoding': 'gzip',
  'user-agent': userAgent
})
