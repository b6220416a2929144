import { runRoom } from '../support/room.ts'

await runRoom('others-m-z')
