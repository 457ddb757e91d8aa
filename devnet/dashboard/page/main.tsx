import { render } from 'preact'
import { App } from './app.tsx'
import { Live } from './live.ts'
import { followLinks } from './location.ts'

const devnet = await (await fetch('/devnet.json')).json()
followLinks()
render(<App live={new Live(devnet)} />, document.body)
