using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>Writes values equal to their versions until it is killed, and a line when it begins. Argument: the name.</summary>
internal static class ValueWriter
{
    internal static void Run(string[] arguments)
    {
        using SharedValue<WideValue> value = SharedValue<WideValue>.Open(arguments[0]);
        value.AttachWriter();
        Console.WriteLine("ready");
        WriteUntilKilled(value);
    }

    internal static void WriteUntilKilled(SharedValue<WideValue> value)
    {
        value.AttachWriter();
        for (long number = value.Version + 1; ; number++)
        {
            if (value.Write(WideValue.Of(number)) != number)
            {
                throw new InvalidDataException($"Value {number} got another version.");
            }
        }
    }
}
