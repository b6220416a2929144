import t from 'tap'
import { refusePayload } from '../../src/engine/graphql.ts'

t.test('a refusal that is cut does not end within credentials in a URL', async t => {
  const url = 'https://ada:s3cret@forge.example/'
  for (let at = 1; at < url.length; at++)
    try {
      refusePayload({ errors: [`${'x'.repeat(2000 - at)}${url}${'y'.repeat(5000)}`] })
    } catch (error) {
      if (at < url.indexOf('@')) t.notMatch((error as Error).message, /ada|s3c/, `${at}`)
    }
})
