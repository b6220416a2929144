import { runRoom } from '../support/room.ts'

await runRoom('plugins-op-z')
