/** What GraphQL says of what is not there and of what one may not do alike. */
export const NO_ACCESS =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action"
