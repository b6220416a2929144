import { endianness } from 'node:os'
import t from 'tap'
import { digitsOf, eachQueue, portsOf, type SocketQueue } from '../../src/load/socket-table.ts'

/* Recorded on Linux 6.18, of an AMD64: addresses are in its byte order. */
const skip = endianness() !== 'LE' && 'the tables were recorded in the other byte order'

const TCP = `\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1960111 1 000000006aff0fd0 100 0 0 10 0                   
   1: 0100007F:0BB8 0200007F:C47E 01 001C9080:00000000 01:00000014 00000000     0        0 1960112 3 000000006aff0fd1 21 4 28 23 -1                  
   2: 0100007F:0BB8 0300007F:C480 01 00000000:00000000 00:00000000 00000000     0        0 1960113 1 000000006aff0fd2 20 4 28 10 -1                  
10000: 0100007F:0BB8 0400007F:C482 04 00000000:0000FFFF 00:00000000 00000000     0        0 0 1 000000006aff0fd3 20 4 28 10 -1                  
`

const TCP6 = `\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 1960111 1 000000006aff0fd0 100 0 0 10 0
   1: 0000000000000000FFFF00000100007F:0BB8 0000000000000000FFFF00000200007F:C47E 01 00000010:00000020 01:00000014 00000000     0        0 1960112 3 000000006aff0fd1 21 4 28 23 -1
   2: B80D0120000000000000000001000000:0BB8 B80D0120000000000000000002000000:C480 01 00000000:00000040 00:00000000 00000000     0        0 1960113 1 000000006aff0fd2 20 4 28 10 -1
`

function queuesOf(table: string): SocketQueue[] {
  const found: SocketQueue[] = []
  eachQueue(Buffer.from(table), queue => found.push(queue))
  return found
}

t.test('of the table of IPv4 those are found of which something is queued', { skip }, async t => {
  t.same(queuesOf(TCP), [
    { address: digitsOf('127.0.0.2'), ports: portsOf(3000, 50302), unsent: 1_872_000, unread: 0 },
    { address: digitsOf('127.0.0.4'), ports: portsOf(3000, 50306), unsent: 0, unread: 65_535 }
  ])
})

t.test('of that of IPv6 too, and an IPv4 address in it is one', { skip }, async t => {
  t.same(queuesOf(TCP6).slice(1), [
    { address: digitsOf('::ffff:127.0.0.2'), ports: portsOf(3000, 50302), unsent: 16, unread: 32 },
    { address: digitsOf('2001:db8::2%eth0'), ports: portsOf(3000, 50304), unsent: 0, unread: 64 }
  ])
  t.equal(digitsOf('::ffff:127.0.0.2'), digitsOf('127.0.0.2'))
})

t.test('a line that has come in part is left for later', async t => {
  const whole = TCP.indexOf('   2: ')
  t.equal(
    eachQueue(Buffer.from(TCP.slice(0, whole + 60)), () => {}),
    whole
  )
})

t.test('what is no such table has no queues', async t => {
  t.same(queuesOf('\n:\n: \na: b: c\n0: 1:2:3:4:5:6:7:8:9\n'), [])
})
