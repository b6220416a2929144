export type * from './types/ci.ts'
export type * from './types/places.ts'
export type * from './types/repository.ts'
export type * from './types/work.ts'
