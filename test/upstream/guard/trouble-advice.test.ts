import t from 'tap'
import { transportFault } from '../../../src/upstream/connections/transport-fault.ts'
import { adviceOn } from '../../../src/upstream/guard/trouble-advice.ts'

t.test('a file of authorities that was mended is not said to lack what it has by now', async t => {
  t.match(adviceOn('tls'), /is read at the start: restart after a change/)
})

t.test('of a certificate that is its own authority the line says to trust that, and of no other', async t => {
  const cause = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  t.match(adviceOn('tls', cause), /set FORGE_CA_CERT_PATH to a file with that certificate itself.*restart/)
  t.notMatch(adviceOn('tls', cause), /authority/)
})

t.test('where no name server answers it may be that a network policy keeps it away', async t => {
  const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  t.match(adviceOn('dns', cause), /resolv\.conf.*network policies/)
})

t.test('where this process may open no more files it is not the forge that is to be checked', async t => {
  const cause = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
  t.match(adviceOn('unreachable', cause), /^It is not the forge: .*ulimit -n/)
  t.match(transportFault(cause, 'http://forge.example', false), {
    fault: 'unreachable',
    message: /: this server can open no more connections \(EMFILE\)\.$/
  })
})

t.test('where the proxy speaks no TLS it is not the URL of the forge that is to be checked', async t => {
  const cause = Object.assign(new Error('wrong version'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
  t.match(adviceOn('tls', cause), /the URL of the forge/)
  t.match(adviceOn('proxy', cause), /^Check HTTP_PROXY, HTTPS_PROXY .*http:\/\//)
})

t.test('of a proxy whose certificate is not trusted the line says to trust its authority', async t => {
  const cause = Object.assign(new Error('unable'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  t.match(adviceOn('proxy', cause), /the certificate of the proxy/)
  t.notMatch(adviceOn('tls', cause), /the certificate of the proxy/)
})

t.test('of a name server that does not answer the line says that, and not to check the name', async t => {
  const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN forge.example'), { code: 'EAI_AGAIN' })
  t.match(adviceOn('dns', cause), /^The name server did not answer/)
  t.match(adviceOn('dns'), /^Check the name/)
})

t.test('who demands a certificate of this service is told apart from a forge that is not there', async t => {
  // Over TLS 1.3 the connection is made before the refusal comes.
  const required = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
  t.match(transportFault(required, 'https://forge.example', false), { fault: 'tls' })
  for (const name of ['SSLV3_ALERT_HANDSHAKE_FAILURE', 'SSL/TLS_ALERT_HANDSHAKE_FAILURE'])
    t.match(
      adviceOn('tls', Object.assign(new Error('alert'), { code: `ERR_SSL_${name}` })),
      /certificate of its clients/
    )
  t.match(adviceOn('tls', required), /not supported/)
  t.match(adviceOn('proxy', required), /not supported/)
  const old = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  t.notMatch(adviceOn('tls', old), /not supported/)
})
