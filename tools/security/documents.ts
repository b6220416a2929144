/* GraphQL documents for vulnerabilities. They are constant, so no input of a caller becomes part of a query. */

/** A location has one of several types. From each type, the fields that say where the vulnerability is are selected. */
const location = `location {
        ... on VulnerabilityLocationSast { file startLine endLine }
        ... on VulnerabilityLocationSecretDetection { file startLine endLine }
        ... on VulnerabilityLocationDependencyScanning { file dependency { package { name } version } }
        ... on VulnerabilityLocationContainerScanning { image operatingSystem dependency { package { name } version } }
        ... on VulnerabilityLocationDast { path hostname }
      }`

export const listQuery = `query ListVulnerabilities($fullPath: ID!, $state: [VulnerabilityState!], $severity: [VulnerabilitySeverity!], $reportType: [VulnerabilityReportType!], $first: Int, $after: String) {
  project(fullPath: $fullPath) {
    vulnerabilities(state: $state, severity: $severity, reportType: $reportType, first: $first, after: $after) {
      nodes { id title state severity reportType detectedAt webUrl identifiers { name } ${location} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const oneQuery = `query GetVulnerability($id: VulnerabilityID!) {
  vulnerability(id: $id) {
    id title description state severity reportType detectedAt confirmedAt resolvedAt dismissedAt dismissalReason webUrl
    scanner { name externalId vendor } identifiers { externalType externalId name url } links { name url }
    ${location}
    project { id name fullPath }
  }
}`

/** Each state has its own mutation. */
export const mutations = {
  confirmed: 'vulnerabilityConfirm',
  resolved: 'vulnerabilityResolve',
  dismissed: 'vulnerabilityDismiss',
  detected: 'vulnerabilityRevertToDetected'
} as const

type State = keyof typeof mutations

const mutation = (name: string): string => {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  return `mutation ${type}($input: ${type}Input!) {
  ${name}(input: $input) {
    vulnerability { id title state severity dismissalReason webUrl }
    errors
  }
}`
}

export const changeMutations: Readonly<Record<State, string>> = {
  confirmed: mutation(mutations.confirmed),
  resolved: mutation(mutations.resolved),
  dismissed: mutation(mutations.dismissed),
  detected: mutation(mutations.detected)
}
