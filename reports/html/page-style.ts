/** The page's style sheet. One accent per verdict, both colour schemes, contrast of 4.5 or more. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f5f6f8; --line: #d9dce3; --text: #1b1f27; --soft: #545c6b;
  --link: #0b57c4; --code: #eef0f4; --focus: #0b57c4; --select: #e3edfd;
  --pass: #17703a; --fail: #b3261e; --warn: #8a5300; --idle: #545c6b;
  --add: #e2f3e7; --add-text: #0d4f26; --cut: #fce6e4; --cut-text: #7f1710;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12151b; --panel: #191d25; --line: #2f3541; --text: #e6e9ef; --soft: #a3adbd;
    --link: #86b6ff; --code: #20252f; --focus: #86b6ff; --select: #22324d;
    --pass: #67d391; --fail: #ff8a80; --warn: #f2b357; --idle: #a3adbd;
    --add: #12301f; --add-text: #a5e8bf; --cut: #3a1b1a; --cut-text: #ffc0ba;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template: auto 1fr / minmax(20rem, 30rem) 1fr; height: 100vh; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
code, pre, kbd { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
.skip { position: absolute; left: -999px; top: 0; background: var(--bg); padding: .5rem 1rem; z-index: 2; }
.skip:focus { left: 0; }

header { grid-column: 1 / -1; padding: .9rem 1.25rem .8rem; border-bottom: 1px solid var(--line); background: var(--panel); }
header .top { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; }
h1 { font-size: 1.15rem; margin: 0; }
header nav { display: flex; gap: 1rem; margin-left: auto; }
header nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.meta { color: var(--soft); }
.bar { display: block; width: 100%; height: 8px; margin: .6rem 0; border-radius: 4px; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; }
.chip { font: inherit; font-size: .85rem; color: var(--text); background: var(--bg); border: 1px solid var(--line); border-radius: 999px; padding: .1rem .7rem; cursor: pointer; }
.chip[aria-pressed="true"] { border-color: var(--focus); background: var(--select); }
.chip b { font-variant-numeric: tabular-nums; }

.v-pass { color: var(--pass); fill: var(--pass); }
.v-fail, .v-unknown, .v-unexpected-pass { color: var(--fail); fill: var(--fail); }
.v-non-strict, .v-expected-fail { color: var(--warn); fill: var(--warn); }
.v-gap, .v-not-applicable, .v-uncovered, .v-waived { color: var(--idle); fill: var(--idle); }

#list { border-right: 1px solid var(--line); overflow: auto; padding: .8rem; scrollbar-gutter: stable; }
.tools { display: flex; gap: .5rem; position: sticky; top: -.8rem; background: var(--bg); padding: .8rem 0; margin-top: -.8rem; z-index: 1; }
input, select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--soft); border-radius: 6px; padding: .3rem .6rem; min-width: 0; }
input { flex: 1; }
#shown { color: var(--soft); font-size: .85rem; margin: 0 0 .4rem; }
#list h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--soft); margin: .9rem 0 .2rem; }
#list ul { list-style: none; margin: 0; padding: 0; }
#list li a { display: grid; grid-template-columns: 1.3rem 1fr; padding: .25rem .4rem; border-radius: 6px; text-decoration: none; color: var(--text); }
#list li a:hover { background: var(--panel); }
#list li a[aria-current] { background: var(--select); }
.target { overflow-wrap: anywhere; }
#list li small { grid-column: 2; color: var(--soft); overflow-wrap: anywhere; }
.mark { font-weight: 700; }

main { overflow: auto; padding: 1.2rem 1.6rem 4rem; }
main article { max-width: 72rem; }
main h2 { font-size: 1.3rem; margin: .2rem 0 .4rem; }
main h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
.verdict { display: inline-block; font-weight: 700; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: .5rem 0; list-style: none; }
.tags li { background: var(--code); border-radius: 4px; padding: 0 .45rem; font-size: .85rem; }
.repro { display: flex; gap: .6rem; align-items: start; }
.repro pre { flex: 1; }
.copy { font: inherit; font-size: .85rem; border: 1px solid var(--soft); border-radius: 6px; background: var(--bg); color: var(--text); padding: .3rem .7rem; cursor: pointer; }
pre { background: var(--code); border-radius: 6px; padding: .6rem .8rem; margin: .3rem 0; overflow: auto; max-height: 28rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.diff { padding: .5rem 0; }
.diff span { display: block; padding: 0 .8rem; }
.diff .expected { background: var(--add); color: var(--add-text); }
.diff .actual { background: var(--cut); color: var(--cut-text); }
.legend { color: var(--soft); font-size: .9rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; padding: .3rem .7rem; }
summary { cursor: pointer; display: flex; gap: .6rem; align-items: baseline; }
summary::before { content: '▸'; color: var(--soft); }
details[open] > summary::before { content: '▾'; }
summary code { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary .meta { white-space: nowrap; font-size: .85rem; }
table { border-collapse: collapse; min-width: min(100%, 40rem); font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
th code { white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.timeline { display: grid; grid-template-columns: max-content 1fr; column-gap: .8rem; }
.timeline ul { list-style: none; margin: 0; padding: 0; }
.timeline li { height: 20px; line-height: 20px; font-size: .8rem; color: var(--soft); text-align: right; }
.timeline li.tall { height: 120px; }
.timeline svg { display: block; width: 100%; background: var(--panel); cursor: crosshair; }
.timeline .axis { grid-column: 2; display: flex; justify-content: space-between; color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; }
.timeline .fault { fill: var(--warn); fill-opacity: .55; }
.timeline .veil { fill: var(--warn); fill-opacity: .1; }
.timeline path { fill: none; vector-effect: non-scaling-stroke; }
.timeline .dot { stroke-width: 5; stroke-linecap: round; stroke: var(--soft); }
.timeline .answered { stroke: var(--pass); }
.timeline .failed { stroke: var(--fail); }
.timeline .problem { stroke: var(--fail); stroke-width: 2; }
.timeline .rule { stroke: var(--line); stroke-width: 1; }
.timeline .head { stroke-width: 2; stroke: var(--link); }
.timeline .head-safe { stroke: var(--pass); }
.timeline .head-finalized { stroke: var(--idle); }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35rem; background: var(--code); }
dialog { color: var(--text); background: var(--bg); border: 1px solid var(--line); border-radius: 10px; padding: 1.2rem 1.6rem; }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dl.keys { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; }
dl.keys dd { margin: 0; }
@media (max-width: 60rem) { body { display: block; height: auto; } #list { border-right: 0; max-height: 50vh; } }
@media print { body { display: block; height: auto; } #list, .chips, header nav { display: none; } main article[hidden] { display: block !important; } }
`
