namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A program that mainly allocates and frees. Each is generic over the allocator's struct, so that it is compiled for each separately. The
/// constructor creates everything that the workload itself needs, outside the clock and the memory readings. The rest is
/// <see cref="Fill"/>, on which only memory is measured, <see cref="Work"/>, on which time is too, and <see cref="Clear"/>.
/// </summary>
internal abstract class NativeWorkload
{
    /// <summary>Allocates the blocks that are live before the work begins.</summary>
    public virtual void Fill()
    {
    }

    /// <summary>Returns the number of operations done, of the kind that the workload's list entry names.</summary>
    public abstract long Work();

    /// <summary>Frees whatever is left: afterwards no block is in use.</summary>
    public virtual void Clear()
    {
    }
}
