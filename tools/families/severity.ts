/** Said of it where a tool has no such argument. */
export const severity =
  'a comment with the line "/severity high" sets that of an incident, where quick actions are allowed'
