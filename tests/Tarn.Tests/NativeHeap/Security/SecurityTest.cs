using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>A heap with all checks, and the required result of every case: an exception or an incident that names both stacks.</summary>
public abstract unsafe class SecurityTest : IDisposable
{
    private readonly CheckedHeapUnderTest _heap = new(BufferChecks.All);
    private readonly IncidentLog _incidents;

    protected SecurityTest() => _incidents = new IncidentLog(_heap.Name);

    /// <summary>Sizes of a slab's small blocks, of its large ones, and of large buffers; not all of them are a class's own.</summary>
    public static TheoryData<int> Sizes => [1, 16, 100, 4096, 200_000, 1 << 20];

    private protected CheckedHeapUnderTest Heap => _heap;

    private protected IncidentLog Incidents => _incidents;

    public void Dispose()
    {
        _heap.Dispose();
        _incidents.Dispose();
        GC.SuppressFinalize(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected byte* AllocateHere(nuint size) => _heap.Allocate(size);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected void FreeHere(void* block) => _heap.Free(block);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected byte* ReallocateHere(void* block, nuint oldSize, nuint newSize) => _heap.Reallocate(block, oldSize, newSize);

    /// <summary>A second free is refused, names both stacks and changes nothing.</summary>
    private protected void AssertDoubleFree(Action secondFree, nuint size)
    {
        InvalidOperationException thrown = AssertRefused(secondFree);
        AssertInOrder(thrown.Message, nameof(AllocateHere), nameof(FreeHere));
        BufferIncident incident = _incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.DoubleReturn, (long)size), (incident.Kind, incident.SizeInBytes));
        AssertNamesBoth(incident);
    }

    /// <summary>Verifies that a pointer to no block is refused as foreign, and that nothing changes.</summary>
    /// <param name="free">The free.</param>
    /// <param name="said">The message's description of the pointer.</param>
    private protected BufferIncident AssertForeignFree(Action free, params string[] said)
    {
        InvalidOperationException thrown = AssertRefused(free);
        BufferIncident incident = _incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.ForeignReturn, incident.Kind);
        foreach (string part in said)
        {
            Assert.Contains(part, thrown.Message, StringComparison.Ordinal);
            Assert.Contains(part, incident.Detail, StringComparison.Ordinal);
        }

        return incident;
    }

    /// <summary>The one incident there is to come, with both stacks.</summary>
    private protected BufferIncident AssertFound(BufferIncidentKind kind, nuint size, string said)
    {
        BufferIncident incident = _incidents.WaitForOne();
        Assert.Equal((kind, (long)size), (incident.Kind, incident.SizeInBytes));
        Assert.Contains(said, incident.Detail, StringComparison.Ordinal);
        AssertNamesBoth(incident);
        return incident;
    }

    private InvalidOperationException AssertRefused(Action free)
    {
        (long InUse, long Retained) before = (_heap.InUseBlocks, _heap.RetainedBytes);
        InvalidOperationException thrown = Assert.Throws<InvalidOperationException>(free);
        Assert.Equal(before, (_heap.InUseBlocks, _heap.RetainedBytes));
        Assert.Contains(_heap.Name, thrown.Message, StringComparison.Ordinal);
        _heap.Validate();
        return thrown;
    }

    private protected static void AssertNamesBoth(BufferIncident incident)
    {
        Assert.Contains(nameof(AllocateHere), incident.RentedAt, StringComparison.Ordinal);
        Assert.Contains(nameof(FreeHere), incident.ReturnedAt, StringComparison.Ordinal);
    }

    private static void AssertInOrder(string text, string first, string second)
    {
        int at = text.IndexOf(first, StringComparison.Ordinal);
        Assert.True(at >= 0 && text.IndexOf(second, at, StringComparison.Ordinal) > at, text);
    }
}
