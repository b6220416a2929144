/** GraphQL's message both for an object that does not exist and for missing permission. */
export const NO_ACCESS =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action"
