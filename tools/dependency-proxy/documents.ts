/* GraphQL documents for the dependency proxy. They are constant, so no input of a caller becomes part of a query. */

export const settingsQuery = `query($fullPath: ID!) {
  group(fullPath: $fullPath) {
    dependencyProxySetting { enabled }
    dependencyProxyBlobCount
    dependencyProxyTotalSize
    dependencyProxyImagePrefix
    dependencyProxyImageTtlPolicy { enabled ttl }
  }
}`

export const updateMutation = `mutation($input: UpdateDependencyProxySettingsInput!) {
  updateDependencyProxySettings(input: $input) { errors }
}`

export const blobsQuery = `query($fullPath: ID!, $first: Int, $after: String) {
  group(fullPath: $fullPath) {
    dependencyProxyBlobs(first: $first, after: $after) {
      nodes { fileName size createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}`
