import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
    plugins: [svelte()],
    resolve: { conditions: ["browser"] }, // Svelte's build for browsers, with signals
    test: {
        include: ["tests/**/*.test.ts"],
        environment: "./tests/environment.ts",
        setupFiles: "./tests/setup.ts",
        isolate: false, // all files in one process: it takes a third of the time
        restoreMocks: true,
    },
});
