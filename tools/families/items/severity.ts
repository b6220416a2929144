/** The answer when a tool without such an argument is given one. */
export const severity =
  'a comment with the line "/severity high" sets that of an incident, where quick actions are allowed'
