/**
 * Settings of helmet for every page that a browser may open: no page is framed, and no other site gets its URL as the
 * referrer.
 */
export const browserHeaders = {
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  // Only whoever terminates TLS in front of this server knows whether the host has TLS permanently, and must say so.
  strictTransportSecurity: false
} as const
