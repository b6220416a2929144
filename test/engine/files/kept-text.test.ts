import t from 'tap'
import { KeptText } from '../../../src/engine/files/kept-text.ts'

t.test('a text that is kept is the same however it is divided, and may be shortened', async t => {
  const text = 'one\n日本 😀 two '.repeat(500)
  for (const size of [1, 7, 1000, 1024, 5000, 20_000]) {
    const kept = new KeptText()
    for (let at = 0; at < text.length; ) {
      const end = at + size
      const half = text.charCodeAt(end - 1) >>> 10 === 0x36
      kept.add(text.slice(at, half ? end + 1 : end))
      at = half ? end + 1 : end
    }
    t.equal(kept.toString(), text, `parts of ${size}`)
    t.equal(kept.length, text.length)
    t.ok(kept.heldBytes >= 2 * text.length && kept.heldBytes < 2.2 * text.length, `${kept.heldBytes} bytes`)
    kept.shorten(3)
    t.equal(kept.toString(), 'one')
    t.ok(kept.heldBytes < 50)
  }
})

t.test(
  'each part of a text that is kept counts two bytes a character only for one beyond Latin-1',
  async t => {
    const [latin, wide] = ['é'.repeat(10_000), `${'x'.repeat(9_999)}日`]
    const near = (kept: KeptText, bytes: number) =>
      t.ok(kept.heldBytes >= bytes && kept.heldBytes < bytes + 100, `${kept.heldBytes} bytes`)
    near(new KeptText(latin), 10_000)
    near(new KeptText(wide), 20_000)
    const both = new KeptText(latin)
    both.add(wide)
    near(both, 30_000)
  }
)
