// SPDX-License-Identifier: GPL-3.0-or-later
// The expert kernels per instruction set against a naive loop, and the optimizer and the loss.
// Run one thread or two: MOORING_BENCH_THREADS=2.
#include "kernels/adamw.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cross_entropy.h"
#include "kernels/moe_experts.h"

#include <atomic>
#include <benchmark/benchmark.h>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace {

using namespace mooring::kernels;

std::int64_t threadCount() {
    const char* text = std::getenv("MOORING_BENCH_THREADS");
    return text != nullptr ? std::max(1, std::atoi(text)) : 1;
}

/// A small pool: the calling thread and threadCount() - 1 helpers take tasks dynamically.
class Pool {
public:
    Pool() {
        for (std::int64_t i = 1; i < threadCount(); ++i) {
            m_helpers.emplace_back([this](std::stop_token stop) { help(stop); });
        }
    }

    ~Pool() {
        for (std::jthread& helper : m_helpers) {
            helper.request_stop();
        }
        m_wake.notify_all();
    }

    void run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
        {
            const std::lock_guard lock(m_mutex);
            m_task = &task;
            m_tasks = tasks;
            m_next = 0;
            m_busy = static_cast<std::int64_t>(m_helpers.size());
            ++m_round;
        }
        m_wake.notify_all();
        take();
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [&] { return m_busy == 0; });
    }

private:
    void take() {
        for (std::int64_t i; (i = m_next.fetch_add(1)) < m_tasks;) {
            (*m_task)(i);
        }
    }

    void help(const std::stop_token& stop) {
        std::int64_t seen = 0;
        std::unique_lock lock(m_mutex);
        while (true) {
            m_wake.wait(lock, [&] { return stop.stop_requested() || m_round != seen; });
            if (stop.stop_requested()) {
                return;
            }
            seen = m_round;
            lock.unlock();
            take();
            lock.lock();
            if (--m_busy == 0) {
                m_done.notify_one();
            }
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    const std::function<void(std::int64_t)>* m_task = nullptr;
    std::atomic<std::int64_t> m_next = 0;
    std::int64_t m_tasks = 0, m_busy = 0, m_round = 0;
    std::vector<std::jthread> m_helpers;
};

const ParallelFor& onPool() {
    static Pool pool;
    static const ParallelFor parallelFor
        = [](std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
              pool.run(tasks, task);
          };
    return parallelFor;
}

template <typename T>
std::vector<T> randoms(std::int64_t n, float scale) {
    std::mt19937 engine(static_cast<unsigned>(n));
    std::uniform_real_distribution<float> uniform(-scale, scale);
    std::vector<T> values(n);
    for (T& value : values) {
        if constexpr (std::is_same_v<T, float>) {
            value = uniform(engine);
        } else {
            value.bits
                = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(uniform(engine)) >> 16);
        }
    }
    return values;
}

/// One layer with everything that a step reads and writes.
template <typename T>
struct Layer {
    MoeShape shape;
    std::vector<T> x, gateUp, down, dy, y, saved, dx;
    std::vector<float> weights, dWeights, dGateUp, dDown;
    std::vector<ExpertOrder> orders;

    explicit Layer(const MoeShape& s)
        : shape(s)
        , x(randoms<T>(s.T * s.D, 1))
        , gateUp(randoms<T>(s.E * 2 * s.I * s.D, 1 / std::sqrt(static_cast<float>(s.D))))
        , down(randoms<T>(s.E * s.D * s.I, 1 / std::sqrt(static_cast<float>(s.I))))
        , dy(x)
        , y(x)
        , saved(s.T * s.K * 2 * s.I)
        , dx(x)
        , weights(s.T * s.K, 1 / static_cast<float>(s.K))
        , dWeights(weights)
        , dGateUp(gateUp.size())
        , dDown(down.size()) {
        std::mt19937 engine(3);
        for (int variant = 0; variant < 8; ++variant) {
            std::vector<std::int32_t> topk;
            std::vector<std::int32_t> experts(s.E);
            for (std::int64_t e = 0; e < s.E; ++e) {
                experts[e] = static_cast<std::int32_t>(e);
            }
            for (std::int64_t t = 0; t < s.T; ++t) {
                for (std::int64_t k = 0; k < s.K; ++k) {
                    std::swap(experts[k], experts[k + engine() % (s.E - k)]);
                    topk.push_back(experts[k]);
                }
            }
            orders.push_back(sortByExpert(topk.data(), s));
        }
    }
};

enum Part { Forward, Frozen, Full };

template <typename T>
void step(Layer<T>& l, Part part, std::size_t variant, const ExpertExtras<T>& lowRank = {}) {
    const ExpertOrder& order = l.orders[variant % l.orders.size()];
    moeForward<T>(l.shape, order, l.x.data(), l.gateUp.data(), l.down.data(), l.weights.data(),
        l.y.data(), l.saved.data(), onPool(), lowRank);
    if (part != Forward) {
        moeBackward<T>(l.shape, order, l.x.data(), l.gateUp.data(), l.down.data(), l.weights.data(),
            l.saved.data(), l.dy.data(), l.dx.data(), l.dWeights.data(),
            part == Full ? l.dGateUp.data() : nullptr, part == Full ? l.dDown.data() : nullptr,
            onPool(), lowRank);
    }
}

/// A step beside the same step with extras, by turns; the ratio of the shortest times and of the
/// sums, in processor time, which other programs disturb less.
template <typename T>
void againstPlain(benchmark::State& state, Layer<T>& l, Part part, const ExpertExtras<T>& extras) {
    double best[2] = {1e300, 1e300}, sum[2] = {0, 0}; // in clock ticks
    std::size_t variant = 0;
    for ([[maybe_unused]] auto iteration : state) {
        for (int on : {0, 1}) {
            const std::clock_t begin = std::clock();
            step(l, part, variant, on != 0 ? extras : ExpertExtras<T>{});
            const auto ticks = static_cast<double>(std::clock() - begin);
            best[on] = std::min(best[on], ticks);
            sum[on] += ticks;
        }
        ++variant;
    }
    state.counters["ratio_min"] = best[1] / best[0];
    state.counters["ratio_mean"] = sum[1] / sum[0];
}

/// gpt-oss's biases and clamped GLU, all trained, against SwiGLU without biases.
template <typename T>
void clampedAgainstSwiglu(benchmark::State& state, MoeShape s) {
    Layer<T> l(s);
    const std::vector<T> b1 = randoms<T>(s.E * 2 * s.I, 1), b2 = randoms<T>(s.E * s.D, 1);
    std::vector<float> dB1(b1.size()), dB2(b2.size());
    againstPlain<T>(state, l, Full, {{}, {}, {b1.data(), dB1.data()}, {b2.data(), dB2.data()}, 7});
}

/// Frozen experts with adapters on both weights.
template <typename T>
void loraAgainstFrozen(benchmark::State& state, MoeShape s, std::int64_t rank) {
    Layer<T> l(s);
    const std::vector<T> a1 = randoms<T>(s.E * rank * s.D, 0.1F),
                         b1 = randoms<T>(s.E * 2 * s.I * rank, 0.1F),
                         a2 = randoms<T>(s.E * rank * s.I, 0.1F),
                         b2 = randoms<T>(s.E * s.D * rank, 0.1F);
    std::vector<float> dA1(a1.size()), dB1(b1.size()), dA2(a2.size()), dB2(b2.size());
    const ExpertExtras<T> adapters = {{rank, 2, a1.data(), b1.data(), dA1.data(), dB1.data()},
        {rank, 2, a2.data(), b2.data(), dA2.data(), dB2.data()}};
    againstPlain(state, l, Frozen, adapters);
}

double flops(const MoeShape& s, Part part) {
    const double product = 2.0 * static_cast<double>(s.T * s.K * s.D * s.I) * 3;
    return product * (part == Forward ? 1 : part == Frozen ? 2 : 3);
}

template <typename T>
void experts(benchmark::State& state, MoeShape shape, Part part, cpu::Isa isa) {
    const cpu::Isa before = cpu::activeIsa();
    cpu::setActiveIsa(isa);
    Layer<T> layer(shape);
    std::size_t variant = 0;
    for ([[maybe_unused]] auto iteration : state) {
        step(layer, part, variant++);
    }
    state.counters["FLOP/s"]
        = benchmark::Counter(flops(shape, part), benchmark::Counter::kIsIterationInvariantRate);
    cpu::setActiveIsa(before);
}

/// What one would write down first: token by token, slot by slot, forward only.
void naiveForward(benchmark::State& state, MoeShape s) {
    Layer<float> l(s);
    std::vector<float> h(s.I);
    for ([[maybe_unused]] auto iteration : state) {
        std::fill(l.y.begin(), l.y.end(), 0.0F);
        for (std::int64_t e = 0; e < s.E; ++e) {
            for (std::int64_t r = l.orders[0].offsets[e]; r < l.orders[0].offsets[e + 1]; ++r) {
                const std::int64_t pair = l.orders[0].pair[r];
                const float* x = l.x.data() + pair / s.K * s.D;
                const float* gate = l.gateUp.data() + e * 2 * s.I * s.D;
                for (std::int64_t i = 0; i < s.I; ++i) {
                    float g = 0, u = 0;
                    for (std::int64_t d = 0; d < s.D; ++d) {
                        g += x[d] * gate[i * s.D + d];
                        u += x[d] * gate[(s.I + i) * s.D + d];
                    }
                    h[i] = g / (1 + std::exp(-g)) * u;
                }
                for (std::int64_t d = 0; d < s.D; ++d) {
                    float sum = 0;
                    for (std::int64_t i = 0; i < s.I; ++i) {
                        sum += l.down[(e * s.D + d) * s.I + i] * h[i];
                    }
                    l.y[pair / s.K * s.D + d] += l.weights[pair] * sum;
                }
            }
        }
        benchmark::DoNotOptimize(l.y.data());
    }
    state.counters["FLOP/s"]
        = benchmark::Counter(flops(s, Forward), benchmark::Counter::kIsIterationInvariantRate);
}

void adamwStep(benchmark::State& state, cpu::Isa isa) {
    const cpu::Isa before = cpu::activeIsa();
    cpu::setActiveIsa(isa);
    const std::int64_t n = 4 << 20;
    std::vector<float> p = randoms<float>(n, 1), g = randoms<float>(n, 0.01F), m(n), v(n);
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        adamw(n, p.data(), g.data(), m.data(), v.data(), 1e-5, 0.9, 0.95, 1e-8, 0.1, 1, ++step,
            onPool());
    }
    state.SetBytesProcessed(state.iterations() * n * 28);
    cpu::setActiveIsa(before);
}

void lossRows(benchmark::State& state, cpu::Isa isa) {
    const cpu::Isa before = cpu::activeIsa();
    cpu::setActiveIsa(isa);
    const std::int64_t rows = 256, V = 8192;
    const std::vector<float> source = randoms<float>(rows * V, 4);
    std::vector<float> logits = source;
    const std::vector<std::int64_t> target(rows, 5);
    const std::vector<float> weight(rows, 1.0F / 256);
    std::vector<double> loss(rows);
    for ([[maybe_unused]] auto iteration : state) {
        crossEntropyRows(
            rows, V, logits.data(), target.data(), weight.data(), loss.data(), onPool());
    }
    state.SetBytesProcessed(state.iterations() * rows * V * 4);
    cpu::setActiveIsa(before);
}

struct NamedShape {
    const char* name;
    MoeShape shape;
};

constexpr NamedShape kShapes[] = {{"demo", {2000, 128, 24, 64, 6}}, {"tiny", {128, 128, 64, 32, 4}},
    {"very_small", {4096, 128, 64, 32, 4}}, {"small", {2048, 512, 256, 32, 4}},
    {"olmoe", {1024, 2048, 1024, 64, 8}}};
constexpr const char* kParts[] = {"forward", "frozen", "full"};

void registerAll() {
    const auto add = [](const std::string& name, auto&&... args) {
        benchmark::RegisterBenchmark(name.c_str(), args...)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    for (const NamedShape& s : kShapes) {
        add(std::string("naive/") + s.name + "/forward/fp32", naiveForward, s.shape);
    }
    for (const NamedShape& s : kShapes) {
        const std::string name = std::string("lora_against_frozen/") + s.name + "/r16/";
        add(name + "fp32", loraAgainstFrozen<float>, s.shape, std::int64_t{16});
        add(name + "bf16", loraAgainstFrozen<bfloat16>, s.shape, std::int64_t{16});
    }
    for (const NamedShape& s : kShapes) {
        const std::string name = std::string("clamped_against_swiglu/") + s.name + "/full/";
        add(name + "fp32", clampedAgainstSwiglu<float>, s.shape);
        add(name + "bf16", clampedAgainstSwiglu<bfloat16>, s.shape);
    }
    for (cpu::Isa isa : cpu::kAllIsas) {
        if (!cpu::isaSupported(isa)) {
            continue;
        }
        const std::string prefix = std::string(cpu::isaName(isa)) + "/";
        for (const NamedShape& s : kShapes) {
            for (Part part : {Forward, Frozen, Full}) {
                const std::string name = prefix + s.name + "/" + kParts[part];
                add(name + "/fp32", experts<float>, s.shape, part, isa);
                add(name + "/bf16", experts<bfloat16>, s.shape, part, isa);
            }
        }
        add(prefix + "adamw", adamwStep, isa);
        add(prefix + "cross_entropy", lossRows, isa);
    }
}

const bool kRegistered = (registerAll(), true);

} // namespace
