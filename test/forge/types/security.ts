/** What a scanner found in a project. */
export interface Vulnerability {
  id: number
  title: string
  description: string
  state: 'DETECTED' | 'CONFIRMED' | 'RESOLVED' | 'DISMISSED'
  severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO' | 'UNKNOWN'
  reportType: string
  /** The location as GraphQL gives it, with its type. */
  location: { readonly __typename: string } & Readonly<Record<string, unknown>>
  identifiers: { readonly externalType: string; readonly externalId: string; readonly name: string }[]
  detectedAt: string
  confirmedAt: string | null
  resolvedAt: string | null
  dismissedAt: string | null
  dismissalReason: string | null
}
