namespace Tarn.Lab.Workloads.Native;

/// <summary>The head of a message; its last byte says its number once more.</summary>
internal unsafe struct Message
{
    private const int Smallest = 32;
    private const int Largest = 512;

    public long Number;
    public long Size;

    public static int DrawSize(uint random) => Smallest + (int)((random * (ulong)(Largest - Smallest + 1)) >> 32);

    public static void Write(Message* message, long number, int size)
    {
        message->Number = number;
        message->Size = size;
        ((byte*)message)[size - 1] = (byte)number;
    }

    /// <summary>The message's size.</summary>
    /// <exception cref="InvalidDataException">It is not what its producer wrote.</exception>
    public static nuint Verify(Message* message, long number)
    {
        if (message->Number != number || message->Size is < Smallest or > Largest || ((byte*)message)[message->Size - 1] != (byte)number)
        {
            throw new InvalidDataException($"Memory was harmed: message {number} at 0x{(nuint)message:x} says number {message->Number}, "
                + $"size {message->Size}.");
        }

        return (nuint)message->Size;
    }
}
