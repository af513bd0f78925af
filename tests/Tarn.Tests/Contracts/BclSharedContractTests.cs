using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>
/// The BCL's own pool, which proves that the suite is its contract. It clears what it then refuses, and its new buffers hold whatever was
/// in memory, impossible booleans, dates and decimals included.
/// </summary>
public sealed class BclSharedContractTests : ArrayPoolContract
{
    protected override bool RefusesBeforeClearing => false;

    protected override bool ValuesArePossible => false;

    protected override ArrayPool<T> Pool<T>() => ArrayPool<T>.Shared;
}
