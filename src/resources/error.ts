/** Why a resource cannot be read: it does not exist, it may not be read here or in this way, or the forge failed. */
export type ResourceFault = 'not-found' | 'refused' | 'failed'

/** The error for a resource that cannot be read; its message is for the caller. */
export class ResourceError extends Error {
  readonly fault: ResourceFault
  constructor(fault: ResourceFault, message: string) {
    super(message)
    this.name = 'ResourceError'
    this.fault = fault
  }
}
