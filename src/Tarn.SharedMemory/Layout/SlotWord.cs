namespace Tarn.SharedMemory;

/// <summary>The word of a queue's slot: its turn, what is in it, and whose that is.</summary>
/// <remarks>
/// <para>A slot goes from state to state by compare-and-swap:</para>
/// <code>
/// Free t ── a writer ──▶ Claimed t ── the same ──▶ Published t ── a reader ──▶ Taken t ── the same ──▶ Free t + 1
///                            │                                                  │   ▲
///                            └──▶ Skipped t ── a reader ──▶ Free t + 1          ▼   └── a reader
///                                                                             Returned t
/// </code>
/// <para>Only the member that a word names changes it, or whoever has that member's role after it: so no word that names a member is
/// changed by two processes.</para>
/// <para>Turns only grow. In 55 bits, a queue of two messages that carries 100 million a second has turns for 22 years. A slot of zeros is
/// free for turn 0.</para>
/// </remarks>
/// <param name="Value">3 bits for the kind, 6 for the member, 55 for the turn.</param>
internal readonly record struct SlotWord(ulong Value)
{
    private const int MemberShift = 3;
    private const int TurnShift = 9;
    private const ulong KindMask = (1 << MemberShift) - 1;
    private const ulong MemberMask = (1 << (TurnShift - MemberShift)) - 1;

    internal SlotKind Kind => (SlotKind)(Value & KindMask);

    internal int Member => (int)((Value >> MemberShift) & MemberMask);

    internal long Turn => (long)(Value >> TurnShift);

    internal static SlotWord Free(long turn) => new((ulong)turn << TurnShift);

    internal static SlotWord Of(SlotKind kind, long turn, int member = 0) =>
        new(((ulong)turn << TurnShift) | ((ulong)(uint)member << MemberShift) | (ulong)kind);

    /// <summary>The same slot in another state.</summary>
    internal SlotWord With(SlotKind kind, int member = 0) => Of(kind, Turn, member);

    internal SlotWord NextTurn() => Free(Turn + 1);

    internal bool IsOf(int member) => Kind is SlotKind.Claimed or SlotKind.Taken && Member == member;
}
