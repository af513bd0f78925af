using System.Buffers;

// A call on default names a method for the compiler ahead of time; it is never made.
internal static class NamedForCompiler
{
    internal static void Seed<TPool>(TPool pool)
        where TPool : MemoryPool<byte>
    {
        default(TPool)!.Rent(1);
        pool.Rent(1); // expect TARN011
    }
}
