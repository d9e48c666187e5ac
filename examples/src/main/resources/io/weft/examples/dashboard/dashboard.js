'use strict';

const KEPT = 120; // snapshots that a chart shows
const WIDTH = 300;
const HEIGHT = 80;
const COLORS = ['#0b6e99', '#d9730d', '#0f7b6c', '#ad1a72', '#6940a5', '#64473a'];
const MIB = 1 << 20;

/** Lines over time, with the numbers of now below. */
class Chart {
  constructor(id, title, unit) {
    this.unit = unit;
    this.lines = new Map(); // name -> its element and values
    this.figure = document.createElement('figure');
    this.figure.id = id;
    const caption = document.createElement('figcaption');
    caption.textContent = title;
    this.svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.setAttribute('preserveAspectRatio', 'none');
    this.now = document.createElement('output');
    this.figure.append(caption, this.svg, this.now);
    document.getElementById('charts').append(this.figure);
  }

  line(name) {
    let line = this.lines.get(name);
    if (!line) {
      const element = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
      element.setAttribute('stroke', COLORS[this.lines.size % COLORS.length]);
      this.svg.append(element);
      line = {element, values: []};
      this.lines.set(name, line);
    }
    return line;
  }

  /** Adds a value to each line, by its name. */
  add(values) {
    for (const [name, value] of Object.entries(values)) {
      const line = this.line(name);
      line.values.push(value);
      line.values.splice(0, line.values.length - KEPT);
    }
    this.draw(values);
  }

  draw(values) {
    const top = Math.max(1e-9, ...[...this.lines.values()].flatMap(line => line.values));
    for (const {element, values: kept} of this.lines.values()) {
      const first = KEPT - kept.length;
      element.setAttribute('points', kept.map((value, i) =>
          `${((first + i) * WIDTH / (KEPT - 1)).toFixed(1)},${(HEIGHT - 2 - value / top * (HEIGHT - 4)).toFixed(1)}`).join(' '));
    }
    this.now.textContent = Object.entries(values).map(([name, value]) =>
        `${name} ${value.toLocaleString('en', {maximumFractionDigits: 2})}${this.unit}`).join(', ');
  }
}

const charts = {
  requests: new Chart('requests', 'Requests a second', ''),
  time: new Chart('time', 'Time of a request', ' ms'),
  connections: new Chart('connections', 'Connections', ''),
  busy: new Chart('busy', 'Loops at work', ' %'),
  lag: new Chart('lag', 'Lateness of timers', ' ms'),
  tasks: new Chart('tasks', 'Tasks a second', ''),
  memory: new Chart('memory', 'Memory of buffers', ' MiB'),
};

/** Names a value of each loop. */
function loops(now, before, value) {
  return Object.fromEntries(now.loops.map((loop, i) => [`loop ${i}`, value(loop, before.loops[i])]));
}

let before = null;

/** Shows what has happened between two snapshots, whose numbers are counted from the start. */
function show(now) {
  if (before && now.at > before.at && now.requests >= before.requests) {
    const millis = now.at - before.at;
    const done = now.requests - before.requests;
    const second = count => Math.max(0, count) * 1000 / millis;
    charts.requests.add({all: second(done), failed: second(now.failed - before.failed)});
    charts.time.add({mean: done ? (now.millis - before.millis) / done : 0, slowest: now.slowest});
    charts.connections.add({open: now.connections});
    charts.busy.add(loops(now, before, (loop, last) => Math.min(100, (loop.busy - last.busy) / millis * 100)));
    charts.lag.add(loops(now, before, loop => loop.lag));
    charts.tasks.add(loops(now, before, (loop, last) => second(loop.tasks - last.tasks)));
    charts.memory.add({used: now.memory.used / MIB, reserved: now.memory.reserved / MIB});
  }
  before = now;
  document.getElementById('state').textContent = `${now.requests.toLocaleString('en')} requests so far`;
}

const events = new EventSource('events');
events.onmessage = message => show(JSON.parse(message.data));
events.onerror = () => { document.getElementById('state').textContent = 'connecting'; };

document.getElementById('load').onclick = async () => {
  for (let i = 0; i < 100; i++) {
    await Promise.all(Array.from({length: 10}, () => fetch('hello').then(answer => answer.text())));
  }
};
