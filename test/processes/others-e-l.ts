import { runRoom } from '../support/room.ts'

await runRoom('others-e-l')
