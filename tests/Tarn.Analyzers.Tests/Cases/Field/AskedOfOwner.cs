using System;
using System.Buffers;
using System.IO;

// What an owner is called and how large it is can be told when its memory is gone.
internal static class AskedOfOwner
{
    internal static Named Open(int size)
    {
        Named named = Named.Make(size);
        if (named.Size == size)
        {
            return named;
        }

        named.Dispose();
        throw new IOException($"{named.Name} has {named.Size} bytes.");
    }

    internal static byte Read(int size)
    {
        Named named = Named.Make(size);
        named.Dispose();
        return named.Memory.Span[0]; // expect TARN002
    }

    internal sealed class Named : IMemoryOwner<byte>
    {
        private readonly byte[] _array;

        private Named(int size) => _array = new byte[size];

        public Memory<byte> Memory => _array;

        internal string Name => "name";

        internal int Size => _array.Length;

        public void Dispose() => Console.WriteLine();

        internal static Named Make(int size) => new(size);
    }
}
