/** Settings of helmet for whatever a browser may open: none of it is framed, nor told of elsewhere. */
export const browserHeaders = {
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  // Whether this host has TLS for good must be declared by whoever terminates TLS in front of it.
  strictTransportSecurity: false
} as const
