/** Why a resource cannot be read: there is none, it may not be read here or so, or the forge failed. */
export type ResourceFault = 'not-found' | 'refused' | 'failed'

/** A resource that cannot be read; the message is for whoever asked. */
export class ResourceError extends Error {
  readonly fault: ResourceFault
  constructor(fault: ResourceFault, message: string) {
    super(message)
    this.name = 'ResourceError'
    this.fault = fault
  }
}
