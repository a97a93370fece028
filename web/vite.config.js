import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const devServer = "http://127.0.0.1:8642"; // where `./run cosca serve` listens, for `npm run dev`

export default defineConfig({
    plugins: [svelte()],
    build: {
        outDir: "../src/cosca/server/web",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0, // the content security policy forbids inline assets
        modulePreload: { polyfill: false },
        rolldownOptions: { external: ["node:fs", "node:url"] }, // verify.js imports them in Node only
    },
    server: {
        proxy: { "/api": devServer, "/ws": { target: devServer, ws: true } },
    },
});
