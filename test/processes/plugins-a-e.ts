import { runRoom } from '../support/room.ts'

await runRoom('plugins-a-e')
