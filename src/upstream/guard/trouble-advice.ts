/* What to do about trouble with a forge, by its kind (trouble.ts) and by the code of the error. */

const noFiles =
  'It is not the forge: this process may open no more files and connections. Raise its limit of open files (ulimit -n, LimitNOFILE), and see in process_open_fds what it needs.'

/** What to do about a forge's name, certificate or handshake, if the error code says more than the kind. */
const ofCode: Readonly<Record<string, string>> = {
  EAI_AGAIN:
    'The name server did not answer: check the network of this machine, which name servers it asks (/etc/resolv.conf), and whether firewalls and network policies let through to them.',
  FORBIDDEN_ADDRESS:
    'Its name is found at an address that is never asked (foundAt): have the name server give that of the forge, where a filter stands between (0.0.0.0, 198.18.0.0/15). Where it is that of a translator (NAT64), set HTTPS_PROXY to a proxy that reaches the forge.',
  EMFILE: noFiles,
  ENFILE: noFiles,
  CERT_HAS_EXPIRED:
    'The certificate has expired: who runs the forge has to renew it. Or the date of this machine is wrong.',
  CERT_NOT_YET_VALID:
    'The certificate is not valid yet: the date of this machine is wrong, or that of who signed it.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Its certificate is signed by itself alone: set FORGE_CA_CERT_PATH to a file with that certificate itself, which is read at the start: restart after a change of it. Where the system trusts it, NODE_USE_SYSTEM_CA=1 does, too.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name: check the host in the URL of the forge.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'What listens there speaks no TLS: check the port in the URL of the forge, and whether it is an http:// one.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'What listens there speaks no TLS: check the port in the URL of the forge, and whether it is an http:// one.'
}

const unheardProxy =
  'The proxy did not answer at its address: check that in HTTP_PROXY and HTTPS_PROXY, and what firewalls and network policies let out to its port (in the chart networkPolicy.egress.ports).'

const untrustedProxy =
  'Set FORGE_CA_CERT_PATH to a file with the authority that signed the certificate of the proxy, beside that of the forge, and restart.'

/** What to do about a proxy, if the error code says more than the kind. */
const ofProxyCode: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: unheardProxy,
  ETIMEDOUT: unheardProxy,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedProxy,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedProxy,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedProxy,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedProxy
}

/** What to do about each kind. */
const advice: Readonly<Record<string, string>> = {
  dns: 'Check the name in the URL of the forge, and the name servers of this machine. Where a proxy is the way out, set HTTPS_PROXY (HTTP_PROXY for an http:// forge).',
  tls: 'Set FORGE_CA_CERT_PATH to a file with the authority that signed its certificate, and those in between where the forge does not send them. It is read at the start: restart after a change of it. Where the system trusts that authority, NODE_USE_SYSTEM_CA=1 does, too. Where a proxy or firewall on the way opens TLS, that is its own authority, not the forge’s. Of an expired or foreign one tell who runs the forge.',
  proxy:
    'Check HTTP_PROXY, HTTPS_PROXY (the URL of a proxy mostly begins with http:// for https forges, too) and NO_PROXY, and what the proxy allows.',
  unreachable:
    'Check that the forge runs, the host and port in its URL (in a container localhost is that container), and what firewalls and network policies let through.',
  timeout:
    'The forge is slow, or packets to it are dropped: look at its own load, then at firewalls. Where its answers stop in their middle, large packets are lost: look at the MTU of the network.',
  'bad-answer':
    'What answers is no forge: check the URL, and what stands before the forge, such as a firewall, a login page or a proxy.',
  limited:
    'The forge limits how often it is asked: see which principal asks most, have its limits raised, or lower FORGE_MAX_CONCURRENCY.',
  '5xx': 'The forge is in trouble: look at its own log.'
}

const wantsCertificate = /^ERR_SSL_\S*ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE)$/

/** What to do about a forge, or what stands before it, that demands a certificate of its clients. */
export const noClientCertificates =
  'Client certificates are not supported here: have it let this service in without one, as by its address.'

const noCertificate = `It ended the handshake: mostly it demands a certificate of its clients. ${noClientCertificates}`

/** What to do about trouble of a kind. @param cause of a fault, whose code may say more */
export const adviceOn = (kind: string, cause?: unknown): string | undefined =>
  ofCodeAt(kind, (cause as NodeJS.ErrnoException | undefined)?.code ?? '') ?? advice[kind]

const ofCodeAt = (kind: string, code: string): string | undefined =>
  wantsCertificate.test(code) ? noCertificate : (kind === 'proxy' ? ofProxyCode : ofCode)[code]
