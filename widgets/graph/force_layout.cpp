// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/graph/force_layout.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace mooring {
namespace {

constexpr double kStart = 3.0; // heat, in edge lengths
constexpr double kCooling = 0.97;
// Balances repulsion so that nodes without edges fill about the unit disc.
constexpr double kGravity = 0.9;
constexpr double kPull = 1.2; // of all edges of a node together

double length(const QPointF& v) {
    return std::sqrt(v.x() * v.x() + v.y() * v.y());
}

} // namespace

void ForceLayout::start(
    int nodes, std::span<const GraphEdge> edges, std::span<const int> community) {
    const auto count = static_cast<std::size_t>(std::max(0, nodes));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (community.size() == count)
        std::stable_sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return community[a] < community[b]; });
    m_positions.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * double(i) / double(count);
        m_positions[order[i]] = {std::sin(angle), -std::cos(angle)};
    }
    m_pinned.assign(count, false);
    // The area of the unit disc, shared out.
    m_length = count == 0 ? 1 : 1.1 / std::sqrt(double(count));
    setLinks(edges);
    m_heat = count < 2 ? 0 : kStart;
}

void ForceLayout::setEdges(std::span<const GraphEdge> edges) {
    setLinks(edges);
    warm();
}

// Busy experts would pull everything together, so a link is weighted relative to its ends.
void ForceLayout::setLinks(std::span<const GraphEdge> edges) {
    std::vector<double> degree(m_positions.size(), 0);
    m_links.clear();
    for (const GraphEdge& edge : edges) {
        const auto first = static_cast<std::size_t>(edge.first);
        const auto second = static_cast<std::size_t>(edge.second);
        if (first >= m_positions.size() || second >= m_positions.size() || first == second
            || !(edge.weight > 0))
            continue;
        degree[first] += edge.weight;
        degree[second] += edge.weight;
        m_links.push_back({first, second, edge.weight});
    }
    for (Link& link : m_links)
        link.pull *= kPull / std::sqrt(degree[link.first] * degree[link.second]);
}

void ForceLayout::warm(double heat) {
    if (m_positions.size() > 1)
        m_heat = std::max(m_heat, heat);
}

void ForceLayout::place(int node, const QPointF& to) {
    m_positions[static_cast<std::size_t>(node)] = to;
}

void ForceLayout::setPinned(int node, bool pinned) {
    m_pinned[static_cast<std::size_t>(node)] = pinned;
}

void ForceLayout::unpinAll() {
    m_pinned.assign(m_positions.size(), false);
}

double ForceLayout::step() {
    if (atRest())
        return 0;
    m_forces.assign(m_positions.size(), {});
    repel();
    attract();
    const double largest = move();
    m_heat *= kCooling;
    return largest;
}

// k^2 / d between all pairs.
void ForceLayout::repel() {
    const double square = m_length * m_length;
    const double least = square * 1e-4;
    for (std::size_t i = 0; i < m_positions.size(); ++i) {
        double x = 0;
        double y = 0;
        const QPointF here = m_positions[i];
        for (std::size_t j = i + 1; j < m_positions.size(); ++j) {
            double dx = here.x() - m_positions[j].x();
            const double dy = here.y() - m_positions[j].y();
            double distance = dx * dx + dy * dy;
            if (distance < least) { // at the same spot: separate them, always the same way
                dx += m_length * 0.01 * double(1 + (i + j) % 7);
                distance = std::max(dx * dx + dy * dy, least);
            }
            const double force = square / distance;
            x += dx * force;
            y += dy * force;
            m_forces[j] -= QPointF(dx * force, dy * force);
        }
        m_forces[i] += QPointF(x, y);
    }
}

// d^2 / k along links, and a pull to the middle.
void ForceLayout::attract() {
    for (const Link& link : m_links) {
        const QPointF way = m_positions[link.second] - m_positions[link.first];
        const QPointF force = way * (link.pull * length(way) / m_length);
        m_forces[link.first] += force;
        m_forces[link.second] -= force;
    }
    for (std::size_t i = 0; i < m_positions.size(); ++i)
        m_forces[i] -= m_positions[i] * kGravity;
}

double ForceLayout::move() {
    const double most = m_heat * m_length;
    double largest = 0;
    for (std::size_t i = 0; i < m_positions.size(); ++i) {
        const double size = length(m_forces[i]);
        if (m_pinned[i] || !(size > 0))
            continue;
        const double way = std::min(size, most);
        m_positions[i] += m_forces[i] * (way / size);
        largest = std::max(largest, way);
    }
    return largest;
}

} // namespace mooring
