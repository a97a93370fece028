/** The sounds of the table, made as they are played: there is no recording in the house. */

import { read, write } from "../lib/browser-storage.svelte";

type Voice = (context: AudioContext, out: AudioNode, at: number) => void;

const LOUDNESS = 0.35;

const voices = {
    card: (context, out, at) => rustle(context, out, at, { length: 0.07, pitch: 3200, loud: 0.5 }),
    place: (context, out, at) => knock(context, out, at, { pitch: 190, length: 0.09, loud: 0.9 }),
    dice: (context, out, at) => {
        for (let roll = 0; roll < 7; roll++)
            knock(context, out, at + roll * 0.055 + Math.random() * 0.02, {
                pitch: 420 + Math.random() * 300,
                length: 0.04,
                loud: 0.5,
            });
    },
    coin: (context, out, at) => {
        for (const [step, pitch] of [2093, 2637, 3136].entries())
            ring(context, out, at + step * 0.04, { pitch, length: 0.35, loud: 0.18 });
    },
    bell: (context, out, at) => {
        for (const part of [1, 2.01, 2.76, 5.4])
            ring(context, out, at, { pitch: 523 * part, length: 1.4 / part, loud: 0.3 / part });
    },
    shot: (context, out, at) => {
        rustle(context, out, at, { length: 0.35, pitch: 700, loud: 1.2 });
        knock(context, out, at, { pitch: 70, length: 0.25, loud: 1.2 });
    },
    win: (context, out, at) => {
        for (const [step, pitch] of [392, 494, 587, 784].entries())
            ring(context, out, at + step * 0.13, { pitch, length: 0.6, loud: 0.3 });
    },
    lose: (context, out, at) => {
        for (const [step, pitch] of [330, 294, 247].entries())
            ring(context, out, at + step * 0.18, { pitch, length: 0.5, loud: 0.25 });
    },
    no: (context, out, at) => knock(context, out, at, { pitch: 110, length: 0.16, loud: 0.7 }),
} satisfies { [name: string]: Voice };

export type Sound = keyof typeof voices;

const isPhone = () => matchMedia("(pointer: coarse)").matches;
let on = $state(read("sounds") ? read("sounds") === "yes" : !isPhone());
let context: AudioContext | null = null;
let out: GainNode | null = null;

export const sounds = {
    /** Off on a phone until somebody wants them; remembered. */
    get on(): boolean {
        return on;
    },
    set on(yes: boolean) {
        on = yes;
        write("sounds", yes ? "yes" : "no");
    },
    /** Browsers let a page sound only after somebody has touched it; until then it is still. */
    play(sound: Sound): void {
        if (!on || document.hidden || !navigator.userActivation?.hasBeenActive) return;
        context ??= new AudioContext();
        if (!out) {
            out = new GainNode(context, { gain: LOUDNESS });
            out.connect(context.destination);
        }
        voices[sound](context, out, context.currentTime + 0.005);
    },
};

interface Tone {
    pitch: number;
    length: number;
    loud: number;
}

function fading(context: AudioContext, out: AudioNode, at: number, { length, loud }: Tone): GainNode {
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(loud, at + 0.004);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    volume.connect(out);
    return volume;
}

function ring(context: AudioContext, out: AudioNode, at: number, tone: Tone): void {
    const voice = new OscillatorNode(context, { type: "sine", frequency: tone.pitch });
    voice.connect(fading(context, out, at, tone));
    voice.start(at);
    voice.stop(at + tone.length);
}

/** Wood on wood: a low tone that falls at once. */
function knock(context: AudioContext, out: AudioNode, at: number, tone: Tone): void {
    const voice = new OscillatorNode(context, { type: "triangle", frequency: tone.pitch });
    voice.frequency.setValueAtTime(tone.pitch * 1.6, at);
    voice.frequency.exponentialRampToValueAtTime(tone.pitch, at + tone.length / 2);
    voice.connect(fading(context, out, at, tone));
    voice.start(at);
    voice.stop(at + tone.length);
}

/** Paper, or powder: noise of about one pitch. */
function rustle(context: AudioContext, out: AudioNode, at: number, tone: Tone): void {
    const noise = new AudioBuffer({
        length: Math.ceil(context.sampleRate * tone.length),
        sampleRate: context.sampleRate,
    });
    const samples = noise.getChannelData(0);
    for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
    const voice = new AudioBufferSourceNode(context, { buffer: noise });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: tone.pitch, Q: 0.8 });
    voice.connect(filter).connect(fading(context, out, at, tone));
    voice.start(at);
}
