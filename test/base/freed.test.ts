import t from 'tap'
import { free } from '../../src/base/freed.ts'

t.test('memory that bytes have for themselves is given back', async t => {
  const bytes = Buffer.allocUnsafeSlow(1000)
  free(bytes)
  t.equal(bytes.length, 0)
})

t.test('memory that bytes share with others is left alone', async t => {
  const whole = Buffer.allocUnsafeSlow(1000)
  free(whole.subarray(1))
  free(whole.subarray(0, 999))
  t.equal(whole.length, 1000)
  const shared = new Uint8Array(new SharedArrayBuffer(8))
  free(shared)
  t.equal(shared.length, 8)
})
