/** Advice for a caller who gives severity to a tool that has no such argument. */
export const severity =
  'a comment with the line "/severity high" sets that of an incident, where quick actions are allowed'
