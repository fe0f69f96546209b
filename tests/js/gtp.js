// The GTP front driven by the library of Sabaki, a Go GUI, and compared with GNU Go's replies.
//
// usage: node gtp.js SANQI-ADAPTER FOLDER-OF-GTP-FILES [GNUGO]
'use strict'
const assert = require('assert')
const {execFileSync} = require('child_process')
const fs = require('fs')
const path = require('path')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const [adapter, folder, gnugo] = process.argv.slice(2).map(name => path.resolve(name))
const ARGUMENTS = ['gtp', '--nodes', '300']
const CAPTURE = ['B D4', 'W C4', 'B E4', 'W F5', 'B D5', 'W D6', 'B E5']

const history = moves => moves.map(move => ({name: 'play', args: move.split(' ')}))

/** Runs `body` with a controller, which ends with `quit` and a good exit. */
async function session(body) {
  const controller = new Controller(adapter, ARGUMENTS)
  const tracker = new ControllerStateTracker(controller)
  controller.start()
  const ended = new Promise(resolve => controller.process.once('exit', code => resolve(code)))
  const ask = async (name, ...args) => controller.sendCommand({name, args})
  try {
    await body({controller, tracker, ask})
  } finally {
    await controller.stop()
  }
  assert.strictEqual(await ended, 0, 'exit code')
}

const tests = {
  async handshake() {
    await session(async ({controller, tracker, ask}) => {
      assert.strictEqual((await ask('protocol_version')).content, '2')
      const named = await controller.sendCommand({id: 17, name: 'name', args: []})
      assert.deepStrictEqual([named.id, named.content, named.error], [17, 'Sanqi', false])
      for (const command of ['genmove', 'undo', 'loadsgf', 'gogui-rules_board']) {
        assert.ok(await tracker.knowsCommand(command), command)
      }
      assert.ok(!(await tracker.knowsCommand('fixed_handicap')))
    })
  },

  async errors() {
    await session(async ({ask}) => {
      for (const [line, message] of [
        ['frobnicate', 'unknown command'],
        ['play b i4', 'invalid color or coordinate'],
        ['play b pass', 'illegal move'],
        ['undo', 'cannot undo'],
        ['final_score', 'cannot score'],
        ['boardsize 19', 'unacceptable size'],
        ['loadsgf no-such-file.sgf', null]
      ]) {
        const [name, ...args] = line.split(' ')
        const reply = await ask(name, ...args)
        assert.ok(reply.error, line)
        if (message != null) assert.strictEqual(reply.content, message, line)
      }
    })
  },

  async 'play and genmove'() {
    await session(async ({ask}) => {
      assert.ok(!(await ask('play', 'B', 'D4')).error)
      assert.ok((await ask('play', 'W', 'D4')).error)
      const reply = await ask('genmove', 'W')
      assert.match(reply.content, /^[A-G][1-7]$/)
      assert.strictEqual((await ask('gogui-rules_side_to_move')).content, 'black')
      const legal = (await ask('gogui-rules_legal_moves')).content.split(' ')
      assert.strictEqual(legal.length, 47)
      assert.ok(!legal.includes(reply.content))
    })
  },

  async 'synchronised over a capture, forward and back'() {
    await session(async ({tracker, ask}) => {
      const stones = async () => (await ask('gogui-rules_board')).content.replace(/[^XO]/g, '')
      const sync = moves => tracker.sync({boardsize: [7, 7], komi: 0, history: history(moves)})
      await sync(CAPTURE)
      assert.strictEqual(await stones(), 'XXXX')
      assert.strictEqual((await ask('gogui-rules_captured_count')).content, '3 0')
      await sync(CAPTURE.slice(0, 5))
      assert.strictEqual((await stones()).length, 5)
      assert.strictEqual((await ask('gogui-rules_captured_count')).content, '0 0')
      await sync([...CAPTURE, 'W C4'])
      assert.strictEqual((await stones()).length, 5)
      await sync(['B A1', 'W G7'])
      assert.strictEqual(await stones(), 'OX')
      await assert.rejects(sync(['B A1', 'W A1']), /History cannot be replayed/)
      await assert.rejects(tracker.sync({boardsize: [9, 9], komi: 0, history: []}), /Board size is not supported/)
    })
  },

  async 'pipelined commands'() {
    await session(async ({controller}) => {
      const moves = Array.from({length: 20}, (_, n) => ({id: n + 1, name: 'genmove', args: [n % 2 ? 'W' : 'B']}))
      const replies = await Promise.all(moves.map(command => controller.sendCommand(command)))
      assert.deepStrictEqual(replies.map(reply => reply.id), moves.map(command => command.id))
      assert.ok(replies.every(reply => !reply.error && /^[A-G][1-7]$/.test(reply.content)))
    })
  },

  // The file is written for gogui-regress: a numbered command, and what its reply must match as a whole.
  async 'the regression file'() {
    const lines = fs.readFileSync(path.join(folder, 'rules.tst'), 'utf8').split('\n')
    const commands = lines.filter(line => line !== '' && !line.startsWith('#'))
    const output = execFileSync(adapter, ARGUMENTS, {input: commands.join('\n') + '\n', cwd: folder, stdio: ['pipe', 'pipe', 'ignore']})
    const replies = new Map()
    for (const reply of output.toString().trimEnd().split('\n\n')) {
      const [, good, id, text] = reply.match(/^([=?])(\d*) ?([^]*)$/)
      assert.strictEqual(good, '=', reply)
      if (id !== '') replies.set(id, text)
    }
    let tested = 0
    lines.forEach((line, at) => {
      const expected = line.match(/^#\? \[(.*)\]$/)
      if (expected == null) return
      const id = lines[at - 1].split(' ')[0]
      const dots = expected[1].startsWith('(?s)')
      const pattern = new RegExp(`^${expected[1].replace('(?s)', '')}$`, dots ? 's' : '')
      assert.match(replies.get(id), pattern, `command ${id}`)
      tested++
    })
    assert.ok(tested >= 25, `${tested} tests`)
  },

  // Commands that break GTP's rules, not Go's: there both programs have to say the same.
  async 'the same replies as GNU Go'() {
    if (gnugo == null) return console.log('    (left out: no gnugo given)')
    const lines = [
      'boardsize 20', 'boardsize abc', 'boardsize', 'boardsize 7', 'komi abc', 'komi', 'komi 6.5', 'play b D4', 'play w D4',
      'play w i4', 'play x D5', 'play w', 'play W d9', 'genmove', 'genmove x', 'reg_genmove', 'time_settings 60 0',
      'time_settings a b c', 'time_settings 60 5 2', 'time_left x 5 0', 'time_left b 5', 'time_left b x y', 'time_left b 5 0',
      'play WHITE e5', 'known_command play', 'known_command Play', 'known_command', 'undo', 'undo', 'undo', 'gg-undo 1',
      'Play b d5', 'frobnicate', 'final_status_list', 'final_status_list x', 'loadsgf', 'clear_board x', '\tplay\tb\ta1\r',
      'protocol_version', '# comment', '', 'quit'
    ]
    const input = lines.map((line, n) => (line === '' || line[0] === '#' ? line : `${n + 1} ${line}`)).join('\n') + '\n'
    const run = (program, args) => {
      const output = execFileSync(program, args, {input, stdio: ['pipe', 'pipe', 'ignore']})
      return output.toString().trimEnd().split('\n\n').map(reply => reply.trim())
    }
    const [ours, theirs] = [run(adapter, ARGUMENTS), run(gnugo, ['--mode', 'gtp'])]
    assert.strictEqual(theirs.length, lines.length - 2)
    assert.deepStrictEqual(ours, theirs)
  }
}

async function main() {
  for (const [name, test] of Object.entries(tests)) {
    await test()
    console.log(`  ok  ${name}`)
  }
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
