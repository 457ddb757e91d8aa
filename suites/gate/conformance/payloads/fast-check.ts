// biome-ignore lint/performance/noBarrelFile: asked for in one place, it is packed into the package once
export { type Arbitrary, default } from 'fast-check'
