namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A program that lives on allocating and freeing. Each is generic over the allocator's struct, so that it is compiled for each of them
/// alone. The constructor makes everything the workload itself needs, so that neither the clock nor the memory readings see it made;
/// what is left is <see cref="Fill"/>, on which only memory is measured, <see cref="Work"/>, on which time is too, and <see cref="Clear"/>.
/// </summary>
internal abstract class NativeWorkload
{
    /// <summary>Allocates what is live before the work begins.</summary>
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
