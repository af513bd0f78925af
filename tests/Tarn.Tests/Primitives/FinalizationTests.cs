using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Primitives;

public sealed class FinalizationTests
{
    [Fact]
    public void An_object_is_finalized_again_once()
    {
        int[] finalized = [0, 0];
        Drop();
        Eventually.TrueAfterCollections(() => Volatile.Read(ref finalized[1]) == 1, "the second finalization is the one that counts");
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal([1, 1], finalized);

        [MethodImpl(MethodImplOptions.NoInlining)]
        void Drop() => _ = new Forgotten(finalized);
    }

    /// <summary>Counts the finalizations that were put off and those that were not.</summary>
    private sealed class Forgotten(int[] counts)
    {
        private bool _wasPutOff;

        ~Forgotten()
        {
            Interlocked.Increment(ref counts[Finalization.TryPutOff(this, ref _wasPutOff) ? 0 : 1]);
        }
    }
}
